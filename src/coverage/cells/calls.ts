import type { OperationName } from '../../contract/endpoints.ts'

/** How a client calls each operation so that it is served; `client` stands for it. */
export const calls = {
  listPets: 'await client().listPets()',
  createPet: "await client().createPet({ name: 'Rex', categoryId: 1 })",
  getPet: 'await client().getPet(1)',
  listOrders: 'await client().listOrders()',
} as const satisfies Readonly<Record<OperationName, string>>

/** Writes a value as JavaScript, on one line. */
export function code(value: unknown): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([name, part]) => `${nameOf(name)}: ${code(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : code(name)
}

/** Writes the line of a fault that strikes the next request, and a request for it to strike. */
export function underFault(fault: object, operation: OperationName): string {
  return `sandbox.faults.add(${code({ ...fault, times: 1 })}); ${calls[operation]}`
}
