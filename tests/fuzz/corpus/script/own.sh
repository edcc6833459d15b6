#!/bin/sh
#BALEEN --gpus 2-8 --want 4 --gpu-type A100,H100 --gpu-mem 40GB --cpus 8/gpu --mem 1G -t 2h --after 7:ok,8 --array 1,3 --class batch
#BALEEN --not-before 16:00 --ckpt B:USR1@9 --param a=b --label c=d --env E=f --retries 2 --priority 1 --log %x.log --error %x.err
