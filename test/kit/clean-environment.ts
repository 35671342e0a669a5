/** What whoever runs the tests may have set has no say in them: it is imported first by the configs of the runners. */
for (const name of Object.keys(process.env)) {
  const isOurs = name.startsWith('PETSTORE_')
  if (isOurs || /^(?:FORCE|NO)_COLOR$/.test(name)) delete process.env[name]
}

// All that the tests ask is on this machine.
process.env.NO_PROXY = '*'
process.env.no_proxy = '*'
