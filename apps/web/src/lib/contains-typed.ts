/** Returns a test for names that contain the typed text, in any case and without the blanks around it. */
export function containsTyped(typed: string): (name: string | undefined) => boolean {
  const wanted = typed.trim().toLowerCase()
  return (name) => name !== undefined && name.toLowerCase().includes(wanted)
}
