import { useState } from 'preact/hooks'
import { type FaultSettings, faultKinds } from '../../mock/faults/fault-rules.ts'
import { useConsole } from '../live/console-context.ts'
import { DataForm, Select } from '../parts/data-form.tsx'
import { SchemaFields } from '../parts/schema-form.tsx'
import { faultNamed, faultNames, faultTexts } from './fault-texts.ts'

interface FaultFormProps {
  /** Initial values by field name. */
  readonly first: Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Form that adds a fault of any kind; its fields come from the kind's schema. */
export function FaultForm({ first, onClose }: FaultFormProps) {
  const { store } = useConsole()
  const [kind, setKind] = useState(faultNamed(first.fault) ?? 'status')
  const names = Object.keys(faultKinds[kind].properties).filter((name) => name !== 'fault')
  return (
    <DataForm<FaultSettings>
      label="Fault"
      verb="Add the fault"
      done="Fault added"
      send={({ faults }, fault) => faults.add(fault)}
      onClose={onClose}
    >
      <Select
        name="fault"
        label="What happens"
        options={faultNames.map((name) => [name, `${name}: ${faultTexts[name]}`] as const)}
        value={kind}
        onChange={(name) => setKind(faultNamed(name) ?? kind)}
      />
      <SchemaFields
        key={kind}
        schema={faultKinds[kind]}
        names={names}
        values={{ times: '1', ms: '2s', ...first }}
        choices={{ key: store.keys.value.map(({ key }) => key) }}
      />
    </DataForm>
  )
}
