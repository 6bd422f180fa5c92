"""Films of games: GIF, WebP and MP4 of some plies, made by a worker of their own."""
