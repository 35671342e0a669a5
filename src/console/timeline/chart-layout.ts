/** The height of a lane, in pixels. */
export const laneHeight = 74

/** How much of it is its name. */
export const labelHeight = 18

/** The height of the lane of the sandbox itself: its tests and its marks. */
export const marksHeight = 46

/** The height of the axis. */
export const axisHeight = 34
