/** Shows how many pets the store lists, and why it lists none. */
export async function render(): Promise<void> {
  const response = await fetch('/v1/pets', { headers: { authorization: 'Bearer free-key' } })
  const found = await response.json()
  document.body.textContent = response.ok ? `${found.length} pets` : found.code
}
