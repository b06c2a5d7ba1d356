import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { frameClass, moreLinkClass, Section } from '#web/ui/page.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton, Skeletons } from '#web/ui/skeleton.tsx'
import { devicesQuery, useDevices } from '#web/features/devices/api/list-devices.ts'
import { homeQuery, useHome, type HomeOverview } from '#web/features/home/api/get-home.ts'
import { HomeHeader } from '#web/features/home/components/home-header.tsx'
import { LiveLine } from '#web/features/home/components/live-line.tsx'
import { OnBanner } from '#web/features/home/components/on-banner.tsx'
import { countLit } from '#web/features/home/count-lit.ts'
import { RoomChips } from '#web/features/rooms/components/room-chips.tsx'
import { tallyRooms } from '#web/features/rooms/room-tally.ts'
import { SwitchGrid, SwitchGridLoading } from '#web/features/switches/components/switch-grid.tsx'
import { cn } from '#web/lib/cn.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLiveStates } from '#web/lib/live/use-live-states.ts'
import { useServices, type Services } from '#web/lib/services.ts'
import { useMedia, wideScreen } from '#web/lib/use-media.ts'
import { useAddSchedule } from '#web/routes/parts/use-add-schedule.tsx'

// Loaded on demand, as a phone shows chips instead.
const RoomLamps = lazy(async () => ({ default: (await import('#web/routes/parts/room-lamps.tsx')).RoomLamps }))
// Loaded on demand, as most homes have all boards in rooms.
const LooseSwitches = lazy(async () => ({
  default: (await import('#web/routes/parts/loose-switches.tsx')).LooseSwitches
}))
// Loaded on demand, as a card is useful without a time.
const FollowOnSince = lazy(() =>
  import('#web/routes/parts/follow-on-since.tsx').then(
    (loaded) => ({ default: loaded.FollowOnSince }),
    () => ({ default: () => null })
  )
)
// Loaded on demand, as they are shown only until the first board is set up and the first favourite is chosen.
const NoBoards = lazy(async () => ({ default: (await import('#web/routes/parts/no-boards.tsx')).NoBoards }))
const NoFavorites = lazy(async () => ({ default: (await import('#web/routes/parts/no-favorites.tsx')).NoFavorites }))

/** On a phone the headings have less height, so that more content is visible; the links keep their touch size. */
const homeLinkClass = cn(moreLinkClass, 'max-sm:-my-1.5')

const withoutLiveMs = 2000

/** Returns whether the rooms' lamps may load with their queries: only after the favourites can be used. */
function useMayLoadLamps(isLive: boolean): boolean {
  const { clock } = useServices()
  const [isLate, setLate] = useState(false)
  useEffect(() => (isLive ? undefined : clock.after(withoutLiveMs, () => setLate(true))), [clock, isLive])
  return useDeferredValue(isLive || isLate, false)
}

/** Starts the page's queries before it is rendered. */
export function ask(services: Services): void {
  const { queryClient } = services
  void queryClient.prefetchQuery(homeQuery(services))
  void queryClient.prefetchQuery(devicesQuery(services))
}

/** /user/home. */
export function Screen() {
  const t = useText()
  return (
    <div className={cn(frameClass, 'grid grid-cols-1 gap-3 sm:gap-5')}>
      <HomeHeader />
      <QueryView query={useHomeAndBoards()} failed={t('home.failed')} loading={<HomeLoading />}>
        {({ home, devices }) => <HomeContent home={home} devices={devices} />}
      </QueryView>
    </div>
  )
}

/** Waits for both, as a home without its boards would claim that there are none. */
function useHomeAndBoards() {
  const home = useHome()
  const devices = useDevices()
  const { refetch: askHome } = home
  const { refetch: askBoards } = devices
  return {
    data:
      home.data === undefined || devices.data === undefined
        ? undefined
        : { home: home.data, devices: devices.data.devices },
    error: home.error ?? devices.error,
    isFetching: home.isFetching || devices.isFetching,
    refetch: useCallback(() => Promise.all([askHome(), askBoards()]), [askHome, askBoards])
  }
}

type Devices = NonNullable<ReturnType<typeof useDevices>['data']>['devices']

function HomeContent({ home, devices }: { home: HomeOverview; devices: Devices }) {
  const t = useText()
  const addSchedule = useAddSchedule()
  const lives = useLiveStates(devices.map(({ deviceMac }) => deviceMac))
  const { favoriteSwitches, rooms, totalSwitches } = home
  const tallies = tallyRooms(rooms, devices, lives)
  const mayLoadLamps = useMayLoadLamps(lives.every((live) => live !== undefined))
  const [since, setSince] = useState<ReadonlyMap<string, number>>()
  const isWide = useMedia(wideScreen)
  const navigate = useNavigate()
  const loose = devices.some(({ setRoom }) => setRoom === null) && (
    <Suspense>
      <LooseSwitches onAddSchedule={addSchedule.open} />
    </Suspense>
  )
  if (totalSwitches === 0 && devices.length === 0) {
    return (
      <Suspense>
        <NoBoards />
      </Suspense>
    )
  }
  const hasFavorites = favoriteSwitches.length > 0
  // A wide screen shows whole rooms, and below forty of them nobody finds the favourites.
  const isAbove = hasFavorites && isWide
  const roomList = (
    <Section
      title={t('home.rooms')}
      className="min-w-0"
      action={
        <Link to="/user/rooms" className={homeLinkClass}>
          {t(rooms.length === 0 ? 'rooms.add' : 'home.allRooms')}
        </Link>
      }
    >
      {rooms.length === 0 ? (
        <p className="text-14 text-ink-2">{t('rooms.noneHint')}</p>
      ) : isWide && !mayLoadLamps ? (
        <LampsLoading />
      ) : isWide ? (
        <Suspense fallback={<LampsLoading />}>
          <RoomLamps
            heading="h3"
            rooms={rooms}
            devices={devices}
            tallies={tallies}
            onOpen={({ _id }) => void navigate(`/user/rooms?room=${_id}`)}
          />
        </Suspense>
      ) : (
        <RoomChips label={t('home.rooms')} rooms={rooms} tallies={tallies} />
      )}
    </Section>
  )
  const favorites = (
    <Section
      title={t('home.favorites')}
      action={
        hasFavorites && (
          <Link to="/user/favorite-switches" className={homeLinkClass}>
            {t('home.allFavorites')}
          </Link>
        )
      }
    >
      {!hasFavorites ? (
        <Suspense>
          <NoFavorites />
        </Suspense>
      ) : (
        <SwitchGrid
          columns="home"
          heading="h3"
          command="id"
          label={t('home.favorites')}
          records={favoriteSwitches}
          since={since}
          onAddSchedule={addSchedule.open}
        />
      )}
    </Section>
  )
  return (
    <>
      <div className="relative grid grid-cols-1 max-sm:[&:has(output>*)_[data-of-total]]:opacity-0 sm:-mb-3 sm:gap-2">
        <OnBanner lit={countLit(lives)} total={totalSwitches} />
        <LiveLine />
      </div>
      {mayLoadLamps && (
        <Suspense>
          <FollowOnSince onChange={setSince} />
        </Suspense>
      )}
      {isAbove && favorites}
      {roomList}
      {!hasFavorites && loose}
      {!isAbove && favorites}
      {hasFavorites && loose}
      {addSchedule.dialog}
    </>
  )
}

const LampsLoading = () => <Skeleton className="h-44 rounded-card" />

function HomeLoading() {
  return (
    <>
      <Skeleton className="h-18 rounded-card sm:h-24" />
      <div className="flex gap-3 overflow-hidden lg:hidden">
        <Skeletons count={4} className="h-14 w-36 shrink-0 rounded-card" />
      </div>
      <SwitchGridLoading columns="home" />
    </>
  )
}
