"""What holds for the repository as a whole: layers, rule ids, locks, targets, file sizes."""
