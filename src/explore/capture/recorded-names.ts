import { recordedAlone, recordedGroups } from '../recorded-controls.ts'

/** The controls that a record keeps, by their names, such as `keys.change`; pages load them with captures alone. */
export const recordedNames: readonly string[] = [
  ...Object.entries(recordedGroups).flatMap(([group, members]) =>
    members.map((member) => `${group}.${member}`),
  ),
  ...recordedAlone,
]
