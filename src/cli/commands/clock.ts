import { described } from '../../mock/input/schema.ts'
import { formatDuration, instant } from '../../mock/input/values.ts'
import { type ClockReading, clockSpeed } from '../../mock/state/clock.ts'
import { typedDuration } from '../option-schemas.ts'
import { remoteOptions } from '../options.ts'
import type { Client } from '../remote/connect.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { resultTable } from '../remote/response-text.ts'
import { clockText } from '../remote/sentences.ts'
import { type Command, exampleLines, optionsOf, withArguments } from '../yargs-options.ts'

const show: Command = {
  command: 'show',
  describe: 'Show the clock',
  handler: remoteHandler(() => async (client) => {
    const reading = await client.clock.read()
    return { result: reading, text: () => resultTable(reading, '') }
  }),
}

/** Changes the clock, and describes it afterwards. */
async function update(
  { clock: controls }: Client,
  change: Parameters<Client['clock']['update']>[0],
  write: (reading: ClockReading) => string,
) {
  const result = await controls.update(change)
  return { result, text: () => write(result) }
}

const advanceWords = { duration: described('How far, such as 61s, 5m or 1h30m', typedDuration) }

const advance: Command = {
  command: 'advance <duration>',
  describe: 'Advance the clock',
  builder: (yargs) =>
    withArguments(yargs, advanceWords).example(
      ...exampleLines('$0 clock advance 61s', 'Begin the next minute window'),
    ),
  handler: changeHandler(advanceWords, ({ duration }) => (client) => {
    const by = formatDuration(duration)
    return update(
      client,
      { advance: duration },
      (reading) => `The clock advanced by ${by}: ${clockText(reading)}`,
    )
  }),
}

const setWords = {
  instant: described(
    'The new time, such as 2030-12-05T00:00:00Z; a bare number is Unix milliseconds',
    instant,
  ),
}

const set: Command = {
  command: 'set <instant>',
  describe: 'Set the clock, forward or back',
  builder: (yargs) =>
    withArguments(yargs, setWords).example(
      ...exampleLines('$0 clock set 2030-12-05', 'See GET /pets/{petId} gone'),
    ),
  handler: changeHandler(
    setWords,
    (words) => (client) =>
      update(
        client,
        { set: words.instant },
        (reading) => `The clock is set: ${clockText(reading)}`,
      ),
  ),
}

const freeze: Command = {
  command: 'freeze',
  describe: 'Freeze the clock',
  handler: changeHandler(
    {},
    () => (client) =>
      update(client, { mode: 'frozen' }, ({ now }) => `The clock is frozen at ${now}`),
  ),
}

/** Describes a clock that runs on. */
function runsOn(reading: ClockReading): string {
  return `The clock runs on: ${clockText(reading)}`
}

const resume: Command = {
  command: 'resume',
  describe: 'Let the clock run on from the time it shows',
  handler: changeHandler({}, () => (client) => update(client, { mode: 'running' }, runsOn)),
}

const speedWords = { times: described('Sandbox seconds in a real second', clockSpeed) }

const speed: Command = {
  command: 'speed <times>',
  describe: 'Run the clock this many times as fast',
  builder: (yargs) =>
    withArguments(yargs, speedWords).example(
      ...exampleLines('$0 clock speed 60', 'Let a minute pass in a second'),
    ),
  handler: changeHandler(
    speedWords,
    ({ times }) =>
      (client) =>
        update(client, { mode: 'scaled', speed: times }, runsOn),
  ),
}

const system: Command = {
  command: 'system',
  describe: "Follow the system's clock",
  handler: changeHandler(
    {},
    () => (client) =>
      update(client, { mode: 'system' }, ({ now }) => `The clock follows the system's: ${now}`),
  ),
}

export const clock: Command = {
  command: 'clock',
  describe: 'Read or move the clock',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .command([show, advance, set, freeze, resume, speed, system]),
  handler: show.handler,
}
