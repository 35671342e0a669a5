/** Lists pets, as a client does that waits as long as `Retry-After` says. */
export async function listPets(apiUrl: string): Promise<Response> {
  const response = await fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  if (response.status !== 429) return response
  const seconds = Number(response.headers.get('retry-after'))
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return await listPets(apiUrl)
}
