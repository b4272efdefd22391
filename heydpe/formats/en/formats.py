"""How the admin writes days and times: as the other pages do. Django looks for this file by FORMAT_MODULE_PATH."""

DATE_FORMAT = "M j, Y"
DATETIME_FORMAT = "M j, Y, H:i"
