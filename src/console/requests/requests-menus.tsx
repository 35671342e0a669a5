import { findingsReport, groupFindings } from '../../checks/reports/findings.ts'
import { markdownReport } from '../../checks/reports/formats.ts'
import { toJson } from '../../mock/api/json.ts'
import { hasState, useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { type EntryFilter, testNames } from '../model/filter-entries.ts'
import { CopyButton } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Menu, type MenuItem, Popover } from '../parts/popover.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import { Sign } from '../parts/sign.tsx'

interface FilterMenuProps {
  readonly filter: EntryFilter
  readonly onChange: (changes: Partial<EntryFilter>) => void
}

/** Menu to filter by key, test, pet and time span. */
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
      {(close) => (
        <div class="stack">
          {choose('key', 'Key', keys)}
          {tests.length === 0 ? null : choose('test', 'Test', tests)}
          <DataForm
            label="Filter"
            verb="Apply"
            send={async (_, given) => {
              const { pet, from, to } = given
              onChange({ pet, from, to })
            }}
            onDone={close}
          >
            <TextInput name="pet" label="Pet" hint="Its id" value={filter.pet} />
            <TextInput
              name="from"
              label="From (UTC)"
              hint="Such as 2026-11-21T14:02:00Z"
              value={filter.from}
            />
            <TextInput name="to" label="Until (UTC)" value={filter.to} />
          </DataForm>
        </div>
      )}
    </Popover>
  )
}

/** Menu to export the requests: for a colleague, a browser's developer tools, a report. */
export function ShareMenu() {
  const { store, sandbox, file } = useConsole()
  const run = useAction()
  const save = (ending: string, text: string): void =>
    saveFile(fileName(sandbox, store.status.peek()?.clock.now ?? '', ending), text)
  const capture: MenuItem = [
    'Download a capture',
    () => void run(async (client) => save('petstore.json', toJson(await client.capture()))),
    'Everything that was done, to open or replay elsewhere',
  ]
  return (
    <Menu
      text={
        <>
          Share <Sign name="down" />
        </>
      }
      label="Share"
      items={[
        ...(hasState(file) ? [capture] : []),
        [
          'Download as HAR',
          () =>
            void run(async (client) => save('har', JSON.stringify(await client.requests.har()))),
          "For a browser's developer tools",
        ],
      ]}
    >
      <CopyButton
        what="findings as Markdown"
        text={() => markdownReport(findingsReport(groupFindings(store.current.peek())))}
      />
      <CopyButton what="link" text={() => location.href} />
    </Menu>
  )
}
