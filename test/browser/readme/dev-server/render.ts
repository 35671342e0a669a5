/** Adds a pet and counts all, as both the page and the server do. */
export async function render(origin: string): Promise<string> {
  const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const added = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
  const { id } = await added.json()
  const response = await fetch(`${origin}/v1/pets?limit=100`, { headers })
  const remaining = response.headers.get('x-ratelimit-remaining')
  return `pet ${id} of ${(await response.json()).length}, ${remaining} left`
}
