/** The port that the process serves on when none is asked for. */
export const defaultPort = 7387
