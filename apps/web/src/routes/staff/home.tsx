import { Link } from 'react-router-dom'
import { useHome } from '#web/features/home/api/get-home.ts'
import { HomeHeader } from '#web/features/home/components/home-header.tsx'
import { OnBanner } from '#web/features/home/components/on-banner.tsx'
import { RoomPicture } from '#web/features/rooms/components/room-picture.tsx'
import { stateWord } from '#web/features/staff-switches/state-word.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { moreLinkClass, Section } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { dotted } from '#web/lib/i18n/isolated.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useUser } from '#web/lib/services.ts'

/** /admin/home: what is on in the whole installation, its rooms and its favourites. */
export function Screen() {
  const t = useText()
  const home = useHome()
  const area = `/${useUser()?.role ?? 'admin'}`
  return (
    <div className="mx-auto grid w-full max-w-360 grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 sm:px-6">
      <HomeHeader area={area} />
      <QueryView isPart query={home} failed={t('home.failed')} loading={<Skeleton className="h-24 rounded-card" />}>
        {({ rooms, favoriteSwitches, totalSwitches, totalOnSwitches }) => (
          <>
            <OnBanner
              lit={{ on: totalOnSwitches, off: totalSwitches - totalOnSwitches, unknown: 0 }}
              total={totalSwitches}
              to={`${area}/switches`}
            />
            <Section
              title={t('home.rooms')}
              action={
                <Link to={`${area}/rooms`} className={moreLinkClass}>
                  {t('home.allRooms')}
                </Link>
              }
            >
              <ul className="flex flex-wrap gap-2">
                {rooms.map((room) => (
                  <li
                    key={room._id}
                    className="flex max-w-full items-center gap-2.5 rounded-3xl border border-line py-1.5 pr-4 pl-2 text-14"
                  >
                    <span className="grid size-9 shrink-0 place-items-center rounded-full bg-well text-16">
                      <RoomPicture roomName={room.roomName} />
                    </span>
                    <span className="flex min-w-0 flex-wrap gap-x-2.5">
                      <span className="max-w-full truncate font-medium" title={room.roomName}>
                        {room.roomName}
                      </span>
                      <span className="text-ink-3">
                        {dotted(
                          t('rooms.deviceCount', { count: room.deviceCount }),
                          t('rooms.onlineCount', { count: room.onlineCount })
                        )}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
            <Section
              title={t('home.favorites')}
              action={
                <Link to={`${area}/favorite-switches`} className={moreLinkClass}>
                  {t('home.allFavorites')}
                </Link>
              }
            >
              <ul className="grid grid-cols-1 gap-x-8 sm:grid-cols-2 xl:grid-cols-3">
                {favoriteSwitches.map((record) => {
                  const place = dotted(record.deviceName, record.roomId?.roomName ?? t('switch.unknownRoom'))
                  return (
                    <li key={record._id} className="flex min-h-12 items-center gap-3 border-b border-line text-14">
                      <span className="min-w-0 flex-1">
                        <span className="block truncate font-medium" title={record.switchName}>
                          {record.switchName}
                        </span>
                        <span className="block truncate text-12 text-ink-3" title={place}>
                          {place}
                        </span>
                      </span>
                      <span className={record.isOnline && record.status ? 'font-semibold' : 'text-ink-3'}>
                        {t(stateWord(record))}
                      </span>
                    </li>
                  )
                })}
              </ul>
            </Section>
          </>
        )}
      </QueryView>
    </div>
  )
}
