//! Containers, clusters, clouds, databases, forges.

use super::{danger, external, reads};
use crate::shell::grammar::{Code, Spec, Style};

const ASK: &[&str] = &[
    "a,all q,quiet f,follow,filter?T n=T tail=T since=T until=T t,timestamps \
        l,last,label-columns,selector?T l=T L=T no-trunc format=T s,size,state=T o,output=T w,watch,web \
        A,all-namespaces context=T cluster=T user=T p,previous,profile,project-name=T c,container=T c=T \
        selector=T field-selector=T show-labels sort-by=T no-headers wide limit=T json=T jq=T q=T \
        R,repo=T author=T assignee=T label=T search=T base=T head=T draft region=T profile=T query=T \
        output=T no-paginate max-items=T human-readable summarize recursive page-size=T project=T \
        filter=T format=T limit=T v,verbose d D h,help version client short type=T name=T page=T \
        no-stream latency json log log-failed comments v=T services resources all-containers \
        since-time=T prefix raw=T grace-period=T",
];

pub(super) const ROWS: &[Spec] = &[
    external(
        "docker podman nerdctl",
        "acts on containers",
        &["D,debug H,host=T~ c,context=T l,log-level=T v,version config=T~"],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Verbs),
    external(
        "docker ps,docker images,docker logs,docker inspect,docker info,docker version,docker stats,\
        docker top,docker port,docker history,docker diff,docker search,docker events,docker start,\
        docker pull,docker push,docker login,docker logout,docker tag,docker network,docker volume,\
        docker image,docker container,docker system,docker context,docker manifest,podman ps,\
        podman images,podman logs,podman inspect,podman info,podman version,podman pull,podman push,\
        nerdctl ps,nerdctl images",
        "acts on containers",
        ASK,
        "T",
    )
    .code(Code::Services),
    external(
        "docker build,docker buildx,podman build",
        "builds an image",
        &[
            "t,tag=T f,file=R build-arg=T target=T no-cache pull q,quiet progress=T platform=T push load \
        network=T label=T secret=T~ ssh=T~ o,output=W~",
        ],
        "T",
    )
    .code(Code::Services),
    danger(
        "docker rm,docker rmi,docker kill,docker stop,docker restart,docker prune,docker swarm,\
        docker service,docker stack,docker update,docker rename,docker pause,docker unpause,podman rm,\
        podman rmi,podman kill,podman stop,podman prune,podman system,podman volume,nerdctl rm",
        "stops or removes containers",
    ),
    external(
        "docker compose,docker-compose,podman-compose",
        "acts on containers",
        &["f,file=R p,project-name=T profile=T env-file=R project-directory=M"],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Verbs),
    external(
        "docker compose ps,docker compose logs,docker compose config,docker compose images,docker compose \
        top,docker compose port,docker compose version,docker compose ls,docker compose events,docker \
        compose pull,docker compose push,docker compose build,docker compose up,docker compose \
        start,docker-compose ps,docker-compose logs,docker-compose config,docker-compose \
        up,docker-compose build,docker-compose pull,docker-compose start,docker-compose images",
        "acts on containers",
        &[
            "d,detach build f,follow tail=T t,timestamps q,quiet services no-deps force-recreate no-color \
        a,all wait remove-orphans! no-cache pull=T V format=T n=T n,no-log-prefix",
        ],
        "T",
    ),
    danger(
        "docker compose down,docker compose rm,docker compose kill,docker compose stop,docker compose \
        restart,docker-compose down,docker-compose rm,docker-compose kill,docker-compose \
        stop,docker-compose restart",
        "stops or removes containers",
    ),
    external(
        "kubectl oc k9s",
        "acts on a cluster",
        &[
            "n,namespace=T context=T cluster=T A,all-namespaces v=T kubeconfig=R~ request-timeout=T user=T \
        token=T s=T~",
        ],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Verbs),
    external(
        "kubectl get,kubectl describe,kubectl logs,kubectl top,kubectl explain,kubectl version,\
        kubectl cluster-info,kubectl api-resources,kubectl api-versions,kubectl events,kubectl auth,\
        kubectl diff,kubectl wait,kubectl rollout,kubectl apply,kubectl create,kubectl expose,\
        kubectl label,kubectl annotate,kubectl port-forward,kubectl config,kubectl options,oc get,\
        oc describe,oc logs",
        "acts on a cluster",
        &[KUBE],
        "T",
    ),
    danger(
        "kubectl delete,kubectl drain,kubectl scale,kubectl replace,kubectl patch,kubectl edit,\
        kubectl cordon,kubectl uncordon,kubectl taint,kubectl set,kubectl autoscale,oc delete",
        "changes or removes what a cluster runs",
    ),
    external("helm", "acts on a cluster", &["n,namespace=T kube-context=T"], "T")
        .style(Style::Posix)
        .code(Code::Verbs),
    external(
        "helm list,helm ls,helm status,helm get,helm history,helm show,helm search,helm repo,\
        helm template,helm lint,helm version,helm install,helm upgrade,helm dependency",
        "acts on a cluster",
        &[
            KUBE,
            "i,install f,values=R set=T version=T repo=T atomic wait timeout=T create-namespace reuse-values",
        ],
        "T",
    ),
    danger(
        "helm uninstall,helm delete,helm rollback",
        "removes what a cluster runs",
    ),
    external(
        "aws",
        "acts on an account",
        &["profile=T region=T output=T query=T no-paginate no-cli-pager endpoint-url=T debug no-sign-request"],
        "T",
    )
    .style(Style::Posix)
    .code(Code::Services),
    external(
        "gcloud az doctl heroku flyctl fly vercel netlify wrangler firebase eksctl linode-cli oci ibmcloud scw",
        "acts on an account",
        ASK,
        "T",
    )
    .code(Code::Services),
    external("gh glab hub tea", "acts on a forge", ASK, "T").code(Code::Services),
    external(
        "terraform tofu terragrunt pulumi cdk ansible ansible-playbook packer vagrant serverless sls",
        "acts on an account",
        &[
            "auto-approve! var=T~ chdir=M no-color input=T json target=T lock=T refresh=T out=W check \
        diff check!",
        ],
        "T",
    )
    .style(Style::Single)
    .code(Code::Services),
    external(
        "psql mysql mariadb mongosh mongo redis-cli clickhouse-client cqlsh influx sqlcmd mysqldump \
        pg_dump pg_dumpall pg_isready mysqladmin",
        "asks a database",
        &[
            "c,command=T h,host=T p,port?T p=T U,username=T d,dbname=T u,user=T P=T t,tuples-only A,no-align \
        x X,no-psqlrc q,quiet w,no-password W l,list n e,execute=T v=T V,version F=T a=T raw csv json N \
        B,batch D,database=T s,schema-only table=T stat f,file=R~ o,output=W~ L,log-file=W~",
        ],
        "T",
    )
    .code(Code::Services),
    danger("dropdb dropuser createuser", "removes a database"),
    reads(
        "sqlite3 sqlite duckdb",
        "asks a database",
        &[
            "readonly header noheader csv json column line list table box markdown html batch separator=T \
        nullvalue=T bail echo version safe~ cmd=T~ init=R~",
        ],
        "RT",
    )
    .style(Style::Single)
    .code(Code::Sqlite),
];

const KUBE: &str = "n,namespace=T o,output=T A,all-namespaces l,selector=T w,watch \
        f,follow,filename=R f=R tail=T \
        since=T c,container=T p,previous context=T cluster=T field-selector=T show-labels sort-by=T \
        no-headers all-containers timestamps R,recursive k=T dry-run?T for=T timeout=T limit=T watch \
        chunk-size=T client short prefix max-log-requests=T overwrite local request-timeout=T v=T \
        output-watch-events ignore-not-found from-literal=T";
