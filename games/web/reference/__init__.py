"""The pages of the API's reference, made from its OpenAPI description."""
