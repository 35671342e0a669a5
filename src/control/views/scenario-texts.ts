import type { ScenarioName } from '../controls/scenarios.ts'

/** What each scenario is about, in a sentence. */
export const scenarioTexts: Readonly<Record<ScenarioName, string>> = {
  flaky: 'One request in five gets 503, one in twenty is cut off.',
  slow: 'Each answer takes one to three seconds.',
  'minute-limit': 'The requests of this minute are used up.',
  'day-limit': 'The requests of this day are used up.',
  banned: 'The key is banned, for as long as the gap banDuration says.',
  'key-expired': 'The key expires now.',
  'sunset-tomorrow': 'It is a day before GET /pets/{petId} is removed.',
  'sunset-passed': 'GET /pets/{petId} has just been removed.',
  'rate-limited': 'The same as minute-limit.',
}
