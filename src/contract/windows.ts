/** The length of each window (spec 8). */
export const windowsMs = { minute: 60_000, day: 86_400_000 } as const
