/** Screen colours for the boards' named colours; any other value is used as CSS. */
const shown: Record<string, string> = {
  green: '#2fbf71',
  blue: '#3b6ef5',
  red: '#e5484d',
  yellow: '#f2cf1d',
  violet: '#8e5cf0',
  'Sky Blue': '#6cc4f5',
  'Aqua Blue': '#1fd3d9',
  white: '#ffffff'
}

/** A board's colour: a small dot, never a surface. */
export function ColourDot({ colour }: { colour: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 shrink-0 rounded-full border border-edge"
      style={{ backgroundColor: shown[colour] ?? colour }}
    />
  )
}
