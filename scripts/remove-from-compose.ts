/**
 * The text of compose.ts without one feature: its import, the statement that makes it, and its name wherever another
 * part may take it.
 * @throws when compose.ts does not import it.
 */
export function removeFromCompose(text: string, feature: string): string {
  const imports = new RegExp(String.raw`^import [^\n]*'\./features/${feature}/[^\n]*\n`, 'gm')
  const made = [...text.matchAll(imports)].flatMap(([line]) => line.match(/\bcreate\w+/g) ?? [])
  if (made.length === 0) throw new Error(`compose.ts imports nothing that makes ${feature}`)
  let left = text.replace(imports, '')
  for (const create of made) {
    const statement = statementOf(left, create)
    left = left.replace(statement, '')
    const name = /const (\w+) =/.exec(statement)?.[1]
    if (name !== undefined) left = removeName(left, name)
  }
  return left
}

/** The whole lines of the statement that calls `create`. */
function statementOf(text: string, create: string): string {
  const at = text.indexOf(`${create}(`)
  const start = text.lastIndexOf('add(', at)
  const from = text.lastIndexOf('\n', start) + 1
  let depth = 0
  let to = text.indexOf('(', start)
  do {
    if (text[to] === '(') depth += 1
    if (text[to] === ')') depth -= 1
    to += 1
  } while (depth > 0)
  return text.slice(from, text.indexOf('\n', to) + 1)
}

/** `schedules`, or `gate: schedules.gate`, in a list of what another part is given. */
function removeName(text: string, name: string): string {
  const entry = String.raw`(?:\w+: )?${name}(?:\.\w+)*`
  return text
    .replaceAll(new RegExp(String.raw`,\s*${entry}(?=\s*[,}])`, 'g'), '')
    .replaceAll(new RegExp(String.raw`\{\s*${entry}\s*,\s*`, 'g'), '{ ')
}
