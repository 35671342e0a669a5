import { countText } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { fileName, saveFile } from '../parts/save-file.ts'
import { FilePicker } from './file-picker.tsx'
import { readFile } from './kept-files.ts'
import { KeysTable } from './keys-table.tsx'
import { PetsTable } from './pets-table.tsx'
import { readRows } from './read-rows.ts'
import { Snapshots } from './snapshots.tsx'

const tabs = ['keys', 'pets', 'snapshots'] as const

type TabName = (typeof tabs)[number]

/** Place for the keys and pets of the sandbox, and snapshots of its state. */
export function DataPlace({ route }: PlaceProps) {
  const { store, kept, run: shownRun, isPanel, sandbox, notices, go } = useConsole()
  const run = useAction()
  const current = tabs.find((name) => name === route.path[0]) ?? 'keys'
  const counts: Readonly<Record<TabName, number>> = {
    keys: store.keys.value.length,
    pets: store.status.value?.counts?.pets ?? 0,
    snapshots: kept?.list.value.length ?? 0,
  }
  const shown = tabs.filter((name) => name !== 'snapshots' || (kept !== undefined && !shownRun))
  const take = async (files: readonly File[]): Promise<void> => {
    for (const one of files) {
      const found = await readFile(one).catch(() => undefined)
      if (found === undefined || kept === undefined) {
        await importRows(one)
        continue
      }
      kept.add(found)
      notices.add('done', `Imported ${found.name}`)
      go(linkTo('data', ['snapshots']))
    }
  }
  const importRows = async (one: File): Promise<void> => {
    try {
      const rows = readRows(one.name, await one.text())
      const isKey = (row: object): boolean => 'plan' in row || 'key' in row
      const keys = rows.filter(isKey)
      const pets = rows.filter((row) => !isKey(row))
      const steps = [
        ...(pets.length > 0 ? [{ control: 'pets.create', args: [pets.map(petOf)] }] : []),
        ...keys.map((row) => ({ control: 'keys.issue', args: [row] })),
      ]
      const counts = [
        ...(pets.length > 0 ? [countText(pets.length, 'pet')] : []),
        ...(keys.length > 0 ? [countText(keys.length, 'key')] : []),
      ]
      if (!(await run(steps, `Imported ${counts.join(' and ')}`))) return
      go(linkTo('data', [pets.length > 0 ? 'pets' : 'keys']))
    } catch (error) {
      notices.add('error', error instanceof Error ? error.message : String(error))
    }
  }
  const exportAll = (): void =>
    void run(async (client) => {
      const name = current === 'keys' ? 'keys' : 'pets'
      const content = await client[name].list()
      const at = store.status.peek()?.clock.now ?? ''
      saveFile(fileName(sandbox, at, `${name}.json`), toJson(content))
    })
  return (
    <>
      <div class="row screen-bar">
        <nav aria-label="Data">
          <ul class="tabs inner-tabs">
            {shown.map((name) => (
              <li key={name}>
                <a
                  class="tab"
                  href={linkTo('data', [name])}
                  aria-current={name === current ? 'page' : undefined}
                >
                  {name.slice(0, 1).toUpperCase() + name.slice(1)}{' '}
                  <span class="count">{formatCount(counts[name])}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {shownRun !== undefined || isPanel ? null : (
          <div class="group end">
            <FilePicker text="Import…" accept=".json,.csv" onFiles={(files) => void take(files)} />
            {current === 'snapshots' ? null : (
              <button type="button" class="button" onClick={exportAll}>
                Save JSON
              </button>
            )}
          </div>
        )}
      </div>
      {current === 'keys' ? <KeysTable route={route} /> : null}
      {current === 'pets' ? <PetsTable route={route} /> : null}
      {current === 'snapshots' && kept !== undefined ? <Snapshots /> : null}
    </>
  )
}

/** Returns only the properties of a pet; an imported row may have others. */
function petOf({ id, name, categoryId, status }: Readonly<Record<string, unknown>>): object {
  const known = { id, name, categoryId, status }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}
