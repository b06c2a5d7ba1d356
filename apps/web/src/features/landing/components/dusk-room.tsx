import { cn } from '#web/lib/cn.ts'

export interface RoomState {
  ceiling: boolean
  reading: boolean
  fan: boolean
  kettle: boolean
}

const glow = 'transition-opacity duration-[480ms] ease-out'

/** A drawn room at dusk with lamps that light it. */
export function DuskRoom({ room, label }: { room: RoomState; label: string }) {
  const bright = room.ceiling ? 1 : 0
  const reading = room.reading ? 1 : 0
  return (
    <svg viewBox="0 0 480 300" role="img" aria-label={label} className="w-full" preserveAspectRatio="xMidYMid slice">
      <defs>
        <linearGradient id="dusk-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="oklch(0.34 0.07 275)" />
          <stop offset="0.65" stopColor="oklch(0.5 0.09 300)" />
          <stop offset="1" stopColor="oklch(0.68 0.11 45)" />
        </linearGradient>
        <radialGradient id="ceiling-light" cx="0.5" cy="0" r="0.9">
          <stop offset="0" stopColor="oklch(0.9 0.13 85 / 0.75)" />
          <stop offset="1" stopColor="oklch(0.85 0.13 80 / 0)" />
        </radialGradient>
        <radialGradient id="reading-light">
          <stop offset="0" stopColor="oklch(0.88 0.15 80 / 0.85)" />
          <stop offset="1" stopColor="oklch(0.84 0.15 75 / 0)" />
        </radialGradient>
      </defs>
      <rect width="480" height="300" fill="oklch(0.255 0.028 270)" />
      <rect y="236" width="480" height="64" fill="oklch(0.215 0.026 268)" />
      {/* The window, and the hills behind it. */}
      <rect x="40" y="52" width="132" height="120" rx="8" fill="url(#dusk-sky)" />
      <path d="M40 140l28-30 22 20 26-34 30 36 26-16v56H40Z" fill="oklch(0.3 0.05 280)" />
      <path d="M106 52v120M40 112h132" stroke="oklch(0.255 0.028 270)" strokeWidth="5" />
      <circle cx="146" cy="76" r="7" fill="oklch(0.93 0.03 95)" />
      {/* Sofa, table, shelf. */}
      <path d="M210 214c0-14 8-22 20-22h106c12 0 20 8 20 22v38H210Z" fill="oklch(0.36 0.045 280)" />
      <rect x="196" y="216" width="26" height="42" rx="10" fill="oklch(0.4 0.045 280)" />
      <rect x="344" y="216" width="26" height="42" rx="10" fill="oklch(0.4 0.045 280)" />
      <rect x="52" y="226" width="96" height="8" rx="3" fill="oklch(0.42 0.04 60)" />
      <path d="M64 234v30M136 234v30" stroke="oklch(0.36 0.035 60)" strokeWidth="6" />
      {/* The kettle, with steam while it is on. */}
      <path d="M86 226v-16c0-7 6-12 14-12s14 5 14 12v16Z" fill="oklch(0.55 0.02 268)" />
      <path d="M114 208c8 0 10 4 10 8" fill="none" stroke="oklch(0.55 0.02 268)" strokeWidth="4" />
      <g
        className={cn(glow, room.kettle ? 'opacity-100' : 'opacity-0')}
        fill="none"
        stroke="oklch(0.9 0.01 268 / 0.7)"
        strokeWidth="3"
        strokeLinecap="round"
      >
        <path d="M94 190c-5-7 4-10 0-18M106 190c-5-7 4-10 0-18" className={cn(room.kettle && 'animate-breathe')} />
      </g>
      {/* The fan. */}
      <path d="M404 0v40" stroke="oklch(0.5 0.02 268)" strokeWidth="4" />
      <g
        className={cn(room.fan && 'animate-spin [animation-duration:1.1s]')}
        style={{ transformOrigin: '404px 46px' }}
        fill="oklch(0.56 0.02 268)"
      >
        <ellipse cx="430" cy="46" rx="24" ry="6" />
        <ellipse cx="378" cy="46" rx="24" ry="6" />
        <ellipse cx="404" cy="66" rx="6" ry="20" />
        <ellipse cx="404" cy="26" rx="6" ry="20" />
        <circle cx="404" cy="46" r="8" />
      </g>
      {/* The lamps. */}
      <path d="M282 0v34" stroke="oklch(0.5 0.02 268)" strokeWidth="3" />
      <path
        d="M256 60c0-15 11-26 26-26s26 11 26 26Z"
        fill={room.ceiling ? 'oklch(0.9 0.13 85)' : 'oklch(0.45 0.02 268)'}
      />
      <path d="M410 258v-92" stroke="oklch(0.5 0.02 268)" strokeWidth="4" />
      <path d="M390 172l10-30h20l10 30Z" fill={room.reading ? 'oklch(0.88 0.15 80)' : 'oklch(0.45 0.02 268)'} />
      <ellipse cx="410" cy="260" rx="20" ry="4" fill="oklch(0.45 0.02 268)" />
      <rect
        x="60"
        y="56"
        width="444"
        height="244"
        fill="url(#ceiling-light)"
        className={glow}
        style={{ opacity: bright }}
      />
      <circle cx="410" cy="180" r="110" fill="url(#reading-light)" className={glow} style={{ opacity: reading }} />
    </svg>
  )
}
