"""Mail: notices put into words and sent."""
