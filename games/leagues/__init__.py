"""Leagues: organisers accept whole files of games for ladders of their own."""
