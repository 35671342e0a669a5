import { createElement, StrictMode, useEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { mountPanel } from '../../../../../src/console/panel/mount-panel.ts'
import { createSandbox } from '../../../../../src/sandbox/sandbox.ts'

const sandbox = createSandbox()

/** The whole document; it asks for the pets, as an app does. */
function Shop() {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const headers = { authorization: 'Bearer free-key' }
    void sandbox.handle({ method: 'GET', url: '/v1/pets', headers, body: '' })
  }, [])
  const onClick = () => setCount(count + 1)
  return createElement(
    'html',
    { lang: 'en' },
    createElement('head', null, createElement('title', null, 'Shop')),
    createElement(
      'body',
      null,
      createElement('button', { type: 'button', onClick }, `Bought ${count}`),
    ),
  )
}

// Before React takes over a document that it didn't render with a panel in it.
mountPanel(sandbox, { when: 'always' })
hydrateRoot(document, createElement(StrictMode, null, createElement(Shop)))
