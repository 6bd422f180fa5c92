"""The first page, the guide for programs, language, theme and errors."""
