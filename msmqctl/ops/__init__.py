"""One function a journey: joins rooms, returns values, prints nothing."""
