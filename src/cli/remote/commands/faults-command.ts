import { faultKinds } from '../../../faults/fault-kinds.ts'
import { faultSettings } from '../../../faults/fault-rules.ts'
import { optional } from '../../../input/object.ts'
import { described } from '../../../input/schema.ts'
import { nameIn, whole } from '../../../input/values.ts'
import { settingList, settingsFrom } from '../../usage/settings.ts'
import { change, question, type RemoteCommand } from './action.ts'
import { faultText } from './answer-sentences.ts'
import { faultTable } from './answer-tables.ts'

const oneFault = { ...faultSettings, title: 'fault' }

/** Lists, adds and removes the faults of a running sandbox. */
export const faultsCommand: RemoteCommand = {
  about: 'List, add and remove the faults of a running sandbox',
  actions: {
    list: question({
      about: 'List the faults, with how many requests each has struck',
      words: {},
      run: (client) => client.faults.list(),
      show: faultTable,
    }),
    add: change({
      about: 'Add a fault',
      words: {
        fault: described('What goes wrong', nameIn(faultKinds)),
        settings: optional(
          settingList(
            faultSettings,
            'How, and to which requests, as name=value; a bare ms is milliseconds',
            ['fault'],
          ),
          [],
        ),
      },
      examples: {
        'status status=503 times=2': 'Answer the next two requests with 503',
        'latency ms=1s-3s': 'Delay each answer by one to three seconds',
        'disconnect operation=createPet': 'Break the connection of each POST',
      },
      run: (client, { fault, settings }) =>
        client.faults.add(settingsFrom(oneFault, [`fault=${fault}`, ...settings], 'times=2')),
      says: (fault) => `Added fault ${fault.id}: ${faultText(fault)}`,
      gives: ({ id }) => String(id),
    }),
    remove: change({
      about: 'Remove a fault',
      words: { id: described("The fault's id", whole(0, 1e15)) },
      run: (client, { id }) => client.faults.remove(id),
      says: (_, { id }) => `Removed fault ${id}`,
    }),
    clear: change({
      about: 'Remove all faults',
      words: {},
      run: (client) => client.faults.clear(),
      says: () => 'Removed all faults',
    }),
  },
}
