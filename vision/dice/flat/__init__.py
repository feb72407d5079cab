"""Whether a die lies flat: the lens, several nets and the picture around it are asked. No ruling."""
