import { Plus } from 'lucide-react'
import { Button } from './button.tsx'

/** The only filled button of a list page. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button onClick={onClick} className="text-14">
      <Plus aria-hidden="true" size={18} />
      {label}
    </Button>
  )
}
