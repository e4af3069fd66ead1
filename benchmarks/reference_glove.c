/* GloVe as the reference program trains it, written anew as a yardstick for benchmarks/glove.py.
 *
 * The reference program itself cannot be fetched everywhere. This one does the same work in the same way: cells in
 * random order, each thread a stretch of them, double precision, AdaGrad on shared parameters without locks, one
 * square root and one division for each parameter touched. Its results differ from run to run, as the reference's do.
 *
 * usage: reference_glove CELLS WORDS DIM EPOCHS THREADS ETA X_MAX ALPHA
 * CELLS is a file of records {int32 row, int32 column, double value}; prints processor seconds (of all threads) and mean cost of each epoch.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct { int32_t row, column; double value; } cell;

static cell *cells;
static long long count, words;
static int dim, threads;
static double eta, x_max, alpha, *parameters, *squares;

typedef struct { long long first, last; double cost; } stretch;

static void *train(void *argument) {
    stretch *part = argument;
    double cost = 0;
    for (long long k = part->first; k < part->last; k++) {
        double *w = parameters + cells[k].row * (long long)(dim + 1);
        double *u = parameters + (words + cells[k].column) * (long long)(dim + 1);
        double *w_squares = squares + (w - parameters), *u_squares = squares + (u - parameters);
        double difference = w[dim] + u[dim] - log(cells[k].value);
        for (int d = 0; d < dim; d++) difference += w[d] * u[d];
        double weighted = (cells[k].value > x_max ? 1.0 : pow(cells[k].value / x_max, alpha)) * difference;
        cost += 0.5 * weighted * difference;
        weighted *= eta;
        for (int d = 0; d < dim; d++) {
            double w_step = weighted * u[d], u_step = weighted * w[d];
            w[d] -= w_step / sqrt(w_squares[d]);
            u[d] -= u_step / sqrt(u_squares[d]);
            w_squares[d] += w_step * w_step;
            u_squares[d] += u_step * u_step;
        }
        w[dim] -= weighted / sqrt(w_squares[dim]);
        u[dim] -= weighted / sqrt(u_squares[dim]);
        w_squares[dim] += weighted * weighted;
        u_squares[dim] += weighted * weighted;
    }
    part->cost = cost;
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 9) return 1;
    words = atoll(argv[2]); dim = atoi(argv[3]); threads = atoi(argv[5]);
    eta = atof(argv[6]); x_max = atof(argv[7]); alpha = atof(argv[8]);
    FILE *file = fopen(argv[1], "rb");
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    count = ftell(file) / (long long)sizeof(cell);
    rewind(file);
    cells = malloc(count * sizeof(cell));
    long long size = 2 * words * (dim + 1);
    parameters = malloc(size * sizeof(double));
    squares = malloc(size * sizeof(double));
    if (!cells || !parameters || !squares) return 3;
    if (fread(cells, sizeof(cell), count, file) != (size_t)count) return 4;
    fclose(file);
    srand(1);
    for (long long k = 0; k < size; k++) {
        parameters[k] = (rand() / (double)RAND_MAX - 0.5) / (dim + 1);
        squares[k] = 1;
    }
    pthread_t *ids = malloc(threads * sizeof(pthread_t));
    stretch *parts = malloc(threads * sizeof(stretch));
    for (int epoch = 0; epoch < atoi(argv[4]); epoch++) {
        clock_t start = clock();
        for (int t = 0; t < threads; t++) {
            parts[t].first = count * t / threads;
            parts[t].last = count * (t + 1) / threads;
            pthread_create(&ids[t], NULL, train, &parts[t]);
        }
        double cost = 0;
        for (int t = 0; t < threads; t++) { pthread_join(ids[t], NULL); cost += parts[t].cost; }
        printf("%f %f\n", (clock() - start) / (double)CLOCKS_PER_SEC, cost / count);
    }
    return 0;
}
