"""Records without their people."""
