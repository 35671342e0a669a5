import { type Plan, plans } from '../../mock/api/plans.ts'
import { namesOf } from '../../mock/input/record.ts'
import { type KeyChange, keyChange } from '../../sandbox/controls/keys.ts'
import { useConsole } from '../live/console-context.ts'
import type { KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Menu, type MenuItem, Popover } from '../parts/popover.tsx'
import { SchemaFields } from '../parts/schema-form.tsx'
import { Sign } from '../parts/sign.tsx'

const bans = ['1m', '5m', '10m', '1h'] as const

/** Controls for a key: ban, quota and a menu with the others. */
export function KeyActions({ view }: { readonly view: KeyView }) {
  const { key, state, limits, expiresAt } = view
  const { store } = useConsole()
  const run = useAction()
  const { dialog, open } = useDialog()
  const change = (hint: string, wanted: KeyChange): Promise<boolean> =>
    run(({ keys }) => keys.update(key, wanted), `${key}: ${hint}`)
  const item = (text: string, hint: string, wanted: KeyChange): MenuItem => [
    text,
    () => void change(hint, wanted),
    hint,
  ]
  const edit = (names: readonly string[], values: Readonly<Record<string, string>>) => () =>
    open((close) => (
      <Dialog title={`Change ${key}`} onClose={close}>
        <DataForm<KeyChange>
          label="Key"
          verb="Change it"
          done={`${key} is changed`}
          send={({ keys }, given) => keys.update(key, given)}
          onClose={close}
        >
          <SchemaFields schema={keyChange} names={names} values={values} />
        </DataForm>
      </Dialog>
    ))
  const limitTexts = { 'limits.minute': String(limits.minute), 'limits.day': String(limits.day) }
  return (
    <fieldset class="group row-actions">
      <legend class="unseen">Change {key}</legend>
      {state === 'banned' ? (
        <Button kind="quiet" onClick={() => void change('No longer banned', { unban: true })}>
          Unban
        </Button>
      ) : (
        <Popover key="ban" kind="quiet" text="Ban" label={`Ban ${key}`}>
          {(close) => (
            <div class="stack">
              <div class="group">
                {bans.map((ban) => (
                  <Button
                    key={ban}
                    onClick={() => {
                      close()
                      void change(`Banned for ${ban}`, { ban })
                    }}
                  >
                    {ban}
                  </Button>
                ))}
              </div>
              <DataForm
                label="Ban"
                verb="Ban it"
                done={`${key} is banned`}
                send={({ keys }, { ban = '' }) => keys.update(key, { ban })}
                onDone={close}
              >
                <TextInput name="ban" label="For" hint="Such as 90s, 30m or 2h" required />
              </DataForm>
            </div>
          )}
        </Popover>
      )}
      <Menu
        key="quota"
        kind="quiet"
        text="Quota"
        label={`Quota of ${key}`}
        items={[
          item('Exhaust the minute', 'No request left in this minute', {
            remaining: { minute: 0 },
          }),
          item('Exhaust the day', 'No request left in this day', { remaining: { day: 0 } }),
          item('One request left', 'One request left in this minute', { remaining: { minute: 1 } }),
          item('Refill', 'All requests left in both windows', { remaining: limits }),
          ['Limits…', edit(['limits'], limitTexts)],
        ]}
      />
      <Menu
        key="more"
        kind="quiet"
        text={<Sign name="more" />}
        label={`More about ${key}`}
        items={[
          state === 'expired'
            ? item('Renew', 'Never expires', { expiresAt: null })
            : item('Expire', 'Expired from now on', { expiresAt: store.time.now.peek() ?? 0 }),
          state === 'revoked'
            ? item('Reinstate', 'No longer revoked', { revoked: false })
            : item('Revoke', '401 from now on', { revoked: true }),
          ['Expires at…', edit(['expiresAt'], expiresAt === undefined ? {} : { expiresAt })],
          [
            'Delete',
            () => void run([{ control: 'keys.delete', args: [key] }], `${key} is deleted`),
          ],
        ]}
      >
        <CopyButton what="Authorization" text={() => `Authorization: Bearer ${key}`} />
      </Menu>
      {dialog}
    </fieldset>
  )
}

const planNames: readonly Plan[] = namesOf(plans)

/** Select for the plan of a key; a plan with custom limits keeps the key's current limits. */
export function PlanChoice({ view: { key, plan, limits } }: { readonly view: KeyView }) {
  const run = useAction()
  return (
    <select
      class="plain"
      aria-label={`Plan of ${key}`}
      value={plan}
      onChange={({ currentTarget: { value } }) => {
        const next = planNames.find((name) => name === value) ?? plan
        const change = plans[next] === 'custom' ? { plan: next, limits } : { plan: next }
        void run(({ keys }) => keys.update(key, change), `${key} is on the plan ${next}`)
      }}
    >
      {planNames.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
