const { PATH, NODE_COMPILE_CACHE } = process.env

/** All that processes of tests get of the environment: whatever else is set there has no say. */
export const childEnvironment: Readonly<NodeJS.ProcessEnv> = {
  PATH,
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
}
