/** Shows what the pet store answers. */
export function render() {
  const text = document.createElement('p')
  const show = async () => {
    const headers = { authorization: 'Bearer free-key' }
    const response = await fetch('/v1/pets', { headers })
    const body = await response.json()
    text.textContent = response.ok ? `${body.length} pets` : body.code
  }
  void show()
  return text
}
