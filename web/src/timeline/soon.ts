// Says that a job of whoever looks at the page is about to start.
import { useSignalEffect } from "../signals";
import { useRef } from "preact/hooks";
import { useResource } from "../api/resource";
import type { Job } from "../api/types";
import { t } from "../i18n";
import { now } from "../state";
import { announce } from "../ui/Live";
import { cut, visible } from "../ui/visible";
import { startingSoon } from "./starting";

export function useSoon(): void {
  const mine = useResource<{ jobs: Job[] }>("jobs?state=queued&user=@&limit=200", { on: ["job"], every_s: 60 });
  const said = useRef(new Set<number>());
  useSignalEffect(() => {
    for (const { job, minutes } of startingSoon(mine.data?.jobs ?? [], now.value, said.current)) {
      said.current.add(job.id);
      announce(t("timeline.soon", { name: visible(cut(job.name)), n: minutes }));
    }
  });
}
