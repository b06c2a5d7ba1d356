import {
  Baby,
  Bath,
  Bed,
  BookOpen,
  Briefcase,
  Car,
  CookingPot,
  Dumbbell,
  Shirt,
  Sofa,
  Sunset,
  TreePine,
  Utensils,
  type LucideIcon
} from 'lucide-react'
import { useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { showsEmoji } from '#web/features/rooms/shows-emoji.ts'
import { roomEmoji } from '#web/features/rooms/room-emoji.ts'

/** For machines without an emoji font, as many wall tablets and kiosks are. */
const icons: Record<string, LucideIcon> = {
  '🛏️': Bed,
  '🍳': CookingPot,
  '🛁': Bath,
  '🚗': Car,
  '🌳': TreePine,
  '🧸': Baby,
  '📚': BookOpen,
  '🏋️': Dumbbell,
  '🧺': Shirt,
  '🍽️': Utensils,
  '🌇': Sunset,
  '💼': Briefcase
}

/** A room's emoji, or a matching icon if emoji would be drawn as empty boxes. */
export function RoomPicture({ roomName, className }: { roomName: string; className?: string }) {
  const emoji = roomEmoji(roomName)
  const [hasEmoji] = useState(() => showsEmoji(document))
  if (hasEmoji) {
    return (
      <span aria-hidden="true" className={cn('leading-none', className)}>
        {emoji}
      </span>
    )
  }
  const Icon = icons[emoji] ?? Sofa
  return (
    <span aria-hidden="true" data-emoji={emoji} className={cn('relative inline-grid text-ink-2', className)}>
      <Icon className="size-[1em]" strokeWidth={1.7} />
      <span className="sr-only">{emoji}</span>
    </span>
  )
}
