# bash completion of baleen; made by 'baleen completion bash'
_baleen() {
    local word=${COMP_WORDS[COMP_CWORD]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words='run submit adopt q show why plan predict calendar reserve res log cancel hold release requeue set move resize progress top gpus nodes report drain resume token web doctor daemon sim profile help'
    else
        case ${COMP_WORDS[1]} in
        run) words='--gpus -g --gpu-type --gpu-mem --cpus -c --mem --nodes -N --reservation --promise --time -t --name -J --after -d --array -a --begin -b --hold -H --priority --requeue --no-requeue --retries --ckpt --signal --project --class --log -o --chdir -D --wait -w --parsable --json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words= ;;
        submit) words='--gpus -g --gpu-type --gpu-mem --cpus -c --mem --nodes -N --reservation --promise --time -t --name -J --after -d --array -a --begin -b --hold -H --priority --requeue --no-requeue --retries --ckpt --signal --project --class --log -o --chdir -D --export --wait -w --parsable --json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words= ;;
        adopt) words='--gpu --gpus -g --cpus -c --mem --time -t --name -J --project --class --parsable --json --socket --server --help -h' ;;
        q) words='--all -a --user -u --state -s --watch -w --format -o --no-header --json --socket --server --help -h' ;;
        show) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        why) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        plan) words='--with --outlook --next -n --by --tz --ascii --gpus -g --gpu-type --gpu-mem --cpus -c --mem --nodes -N --reservation --promise --time -t --name -J --after -d --array -a --begin -b --hold -H --priority --requeue --no-requeue --retries --ckpt --signal --project --class --log -o --chdir -D --json --socket --server --help -h' ;;
        predict) words='--gpus -g --gpu-type --gpu-mem --cpus -c --mem --nodes -N --reservation --promise --time -t --name -J --after -d --array -a --begin -b --hold -H --priority --requeue --no-requeue --retries --ckpt --signal --project --class --log -o --chdir -D --json --socket --server --help -h' ;;
        calendar) words='--from --to --by --tz --ascii --ics --json --socket --server --help -h' ;;
        reserve) words='--gpus -g --gpu-type --pool --on --from --for --to --every --until --flex --zone --fold --name -J --project --user -u --release-after --json --socket --server --help -h' ;;
        res) words='--all -a --each -e --user -u --from --to --following -f --json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        log) words='--follow -f --attempt -a --json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        cancel) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        hold) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        release) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        requeue) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        set) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        move) words='--before -b --json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        resize) words='--json --socket --server --help -h'; [ "${word#-}" != "$word" ] || words="@ $(baleen q --no-header -o id 2>/dev/null | sed "s/ //g; s/_\[.*//")" ;;
        progress) words='--rate --json --socket --server --help -h' ;;
        top) words='--delay -d --once -1 --json --socket --server --help -h' ;;
        gpus) words='--json --socket --server --help -h' ;;
        nodes) words='--json --socket --server --help -h' ;;
        report) words='--by --from --to --eta --csv --json --socket --server --help -h' ;;
        drain) words='--at --json --socket --server --help -h' ;;
        resume) words='--json --socket --server --help -h' ;;
        token) words='--scope --user -u --expires --name --json --socket --server --help -h' ;;
        web) words='--no-open --json --socket --server --help -h' ;;
        doctor) words='--state --json --socket --server --help -h' ;;
        daemon) words=''; [ "${word#-}" != "$word" ] || words= ;;
        sim) words=''; [ "${word#-}" != "$word" ] || words= ;;
        profile) words='--gpus -g --gpu-type --gpu-mem --cpus -c --mem --nodes -N --reservation --promise --time -t --name -J --after -d --array -a --begin -b --hold -H --priority --requeue --no-requeue --retries --ckpt --signal --project --class --log -o --chdir -D --work --json --socket --server --help -h' ;;
        esac
    fi
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _baleen baleen
