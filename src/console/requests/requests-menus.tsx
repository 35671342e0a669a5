import { toJson } from '../../mock/api/json.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { type EntryFilter, testNames } from '../model/filter-entries.ts'
import { CopyButton } from '../parts/button.tsx'
import { Menu, type MenuItem, Popover } from '../parts/popover.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { Sign } from '../parts/sign.tsx'

interface FilterMenuProps {
  readonly filter: EntryFilter
  readonly onChange: (changes: Partial<EntryFilter>) => void
}

/** Menu to filter by key and test. */
export function FilterMenu({ filter, onChange }: FilterMenuProps) {
  const { store } = useConsole()
  const tests = testNames(store.marks.value)
  const keys = [...new Set(store.entries.value.map(store.keyOf.value))]
  const choose = (name: 'key' | 'test', label: string, values: readonly string[]) => (
    <label class="field">
      {label}
      <select
        value={filter[name] ?? ''}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value || undefined })}
      >
        <option value="">any</option>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  )
  return (
    <Popover
      text={
        <>
          Filter <Sign name="down" />
        </>
      }
    >
      {() => (
        <div class="stack">
          {choose('key', 'Key', keys)}
          {tests.length === 0 ? null : choose('test', 'Test', tests)}
        </div>
      )}
    </Popover>
  )
}

/** Menu to save the requests: for a colleague or a browser's developer tools. */
export function SaveMenu() {
  const { store, sandbox } = useConsole()
  const run = useAction()
  const save = (ending: string, text: string): void =>
    saveFile(fileName(sandbox, store.status.peek()?.clock.now ?? '', ending), text)
  const capture: MenuItem = [
    'Save a capture',
    () => void run(async (client) => save('petstore.json', toJson(await client.capture()))),
    'Everything that was done, to open or replay elsewhere',
  ]
  return (
    <Menu
      text={
        <>
          Save <Sign name="down" />
        </>
      }
      label="Save"
      items={[
        capture,
        [
          'Save as HAR',
          () =>
            void run(async (client) => save('har', JSON.stringify(await client.requests.har()))),
          "For a browser's developer tools",
        ],
      ]}
    >
      <CopyButton what="link" text={() => location.href} />
    </Menu>
  )
}
