"""`atta upload`: uploads files to a site. It uses only the site's API and Python's standard library."""
