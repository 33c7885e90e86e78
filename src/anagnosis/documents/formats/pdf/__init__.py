"""PDF: papers as their publishers print them."""
