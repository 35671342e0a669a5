const svg = 'http://www.w3.org/2000/svg'

/** Four toes and the pad of a paw. */
const paw = [
  'M6 7.7a2.1 2.8 0 1 0 .01 0Z',
  'M10 3a2.1 3 0 1 0 .01 0Z',
  'M14.6 3a2.1 3 0 1 0 .01 0Z',
  'M18.4 7.7a2.1 2.8 0 1 0 .01 0Z',
  'M12.2 11.2c-3.1 0-5.7 3.4-5.7 6 0 1.9 1.5 2.8 3 2.8 1.1 0 1.8-.5 2.7-.5s1.6.5 2.7.5c1.5 0 3-.9 3-2.8 0-2.6-2.6-6-5.7-6Z',
].join('')

/** Makes the button in the corner. */
export function createLauncher(toggle: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launcher'
  button.ariaLabel = 'Sandbox panel'
  button.title = 'Sandbox panel'
  button.ariaExpanded = 'false'
  const icon = document.createElementNS(svg, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.ariaHidden = 'true'
  const path = document.createElementNS(svg, 'path')
  path.setAttribute('d', paw)
  icon.append(path)
  button.append(icon)
  button.addEventListener('click', toggle)
  return button
}
