"""A drill: a site on eight machines, which are network namespaces, whose links are cut and which are lost."""
