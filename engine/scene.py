"""What a picture is made of, and one SVG writer."""
