"""What was recorded: files, the trash, recovery, removal and sharing."""
