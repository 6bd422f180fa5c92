"""Reading studies: which a viewer may see, what they hold, and files of them."""
