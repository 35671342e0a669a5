/** A client as many are: three tries with a pause that doubles, whatever was sent and whatever the service says. */
export async function session({ apiUrl, apiKey }) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const send = async (path, init, triesLeft = 2, pauseMs = 2_000) => {
    const response = await fetch(apiUrl + path, { headers, ...init }).catch((error) => error)
    if (response.ok) return await response.json()
    if (triesLeft === 0) throw new Error(`${path} got ${response.status ?? response.message}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return await send(path, init, triesLeft - 1, pauseMs * 2)
  }
  const [pet] = await send('/pets?limit=5')
  await send(`/pets/${pet.id}`)
  if (new Date().getUTCHours() % 4 === 0) {
    await send('/pets', { method: 'POST', body: JSON.stringify({ name: 'Rex', categoryId: 1 }) })
  }
}
