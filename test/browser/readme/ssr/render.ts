/** What both the server and the page do: ask for pets. */
export async function render(): Promise<string> {
  const response = await fetch('https://api.example.com/v1/pets', {
    headers: { authorization: 'Bearer free-key' },
  })
  const remaining = response.headers.get('x-ratelimit-remaining')
  return `${(await response.json()).length} pets, ${remaining} left`
}
