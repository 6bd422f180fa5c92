"""Push: notices that a browser shows, sent through the browser's own push service and readable by nobody on the way."""
